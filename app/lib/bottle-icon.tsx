import type { LucideProps } from 'lucide-react';

/** A drinking bottle in the hand of the other icons: 24 units, strokes of 2 with round ends. */
export function BottleIcon({ size = 24, ...rest }: LucideProps) {
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
