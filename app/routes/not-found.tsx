import { data } from 'react-router';
import { ScanButton } from '#app/features/scanner/scan-button.tsx';
import { NotFoundScreen } from '#app/features/site/not-found-screen.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import type { Route } from './+types/not-found.ts';

export function loader() {
  return data(null, { status: 404 });
}

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ notFound }) => notFound.title, matches)];
}

export default function NotFound() {
  const { scanner } = useTexts();
  return <NotFoundScreen action={<ScanButton variant="outline">{scanner.scanAgain}</ScanButton>} />;
}
