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
  type LucideProps,
  Luggage,
  PawPrint,
  Pen,
  PlugZap,
  ShoppingBag,
  Smartphone,
  Sparkles,
  Tag,
  Umbrella,
  Wallet,
  Watch,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { ItemType } from '#domain/item-catalogue.ts';
import { BottleIcon } from './bottle-icon.tsx';

const ICONS: Record<ItemType, ComponentType<LucideProps>> = {
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
  bottle: BottleIcon,
  battery: BatteryFull,
  bike: Bike,
  pet: PawPrint,
  baby: Baby,
  custom: Sparkles,
  other: Tag,
};

/** The picture of a type. The name beside it says what it is, so it is hidden from assistive technology. */
export function ItemIcon({ type, ...rest }: { readonly type: ItemType } & LucideProps) {
  const Icon = ICONS[type];
  return <Icon aria-hidden="true" {...rest} />;
}
