import { data } from 'react-router';
import { ScanButton } from '#app/features/scanner/scan-button.tsx';
import { NotFoundScreen } from '#app/features/site/not-found-screen.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { en } from '#domain/messages/en.ts';
import type { Route } from './+types/not-found.ts';

export function loader() {
  return data(null, { status: 404 });
}

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(en.notFound.title, matches)];
}

export default function NotFound() {
  const { scanner } = useMessages();
  return <NotFoundScreen action={<ScanButton variant="outline">{scanner.scanAgain}</ScanButton>} />;
}
