import {
  Baby,
  Backpack,
  BatteryFull,
  Bike,
  BookOpen,
  Earbuds,
  Glasses,
  Headphones,
  KeyRound,
  Laptop,
  type LucideIcon,
  Luggage,
  PawPrint,
  Pen,
  PlugZap,
  ShoppingBag,
  Smartphone,
  Tag,
  Umbrella,
  Wallet,
  Watch,
} from 'lucide-react';
import { Bottle } from './bottle-icon.tsx';

const ICONS: Readonly<Record<string, LucideIcon | typeof Bottle>> = {
  bag: ShoppingBag,
  backpack: Backpack,
  suitcase: Luggage,
  laptop: Laptop,
  phone: Smartphone,
  charger: PlugZap,
  headphones: Headphones,
  airpods: Earbuds,
  keys: KeyRound,
  wallet: Wallet,
  book: BookOpen,
  umbrella: Umbrella,
  watch: Watch,
  glasses: Glasses,
  pen: Pen,
  bottle: Bottle,
  battery: BatteryFull,
  bike: Bike,
  pet: PawPrint,
  baby: Baby,
};

interface ItemIconProps {
  /** An item type of the catalogue; anything else is shown as a tag. */
  readonly type: string;
  readonly className?: string;
}

/** The picture of an item type. It says nothing that the name beside it does not. */
export function ItemIcon({ type, className = 'size-6' }: ItemIconProps) {
  const Icon = ICONS[type] ?? Tag;
  return <Icon className={className} aria-hidden="true" />;
}
