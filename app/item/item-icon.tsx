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
import type { ItemType } from '#domain/item/item-catalogue.ts';

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

/** The icon of a type, hidden from assistive technology because the name beside it says the same. */
export function ItemIcon({ type, ...rest }: { readonly type: ItemType } & LucideProps) {
  const Icon = ICONS[type];
  return <Icon aria-hidden="true" {...rest} />;
}

/** A drinking bottle in the style of the other icons: 24 units, strokes of 2 with round ends. */
function BottleIcon({ size = 24, ...rest }: LucideProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      <path d="M10 2h4v3h-4z" />
      <path d="M10 5v1.5c0 .6-.3 1.1-.8 1.5l-.7.6A4 4 0 0 0 7 11.7V19a3 3 0 0 0 3 3h4a3 3 0 0 0 3-3v-7.3a4 4 0 0 0-1.5-3.1l-.7-.6a2 2 0 0 1-.8-1.5V5" />
      <path d="M7 13h10M7 18h10" />
    </svg>
  );
}
