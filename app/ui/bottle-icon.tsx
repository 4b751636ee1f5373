import type { SVGProps } from 'react';

/** A bottle in the hand of the icon set, which has none: 24 units, strokes of 2, round ends. */
export function Bottle(props: SVGProps<SVGSVGElement>) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      <path d="M10 2h4v3l1.4 2.3A6 6 0 0 1 16.5 11v9a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2v-9c0-1.3.4-2.6 1.1-3.7L10 5Z" />
      <path d="M10 5h4" />
      <path d="M7.5 13h9" />
      <path d="M7.5 17.5h9" />
    </svg>
  );
}
