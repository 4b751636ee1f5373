import { data } from 'react-router';
import { NotFoundScreen } from '#app/features/site/not-found-screen.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { en } from '#domain/messages/en.ts';
import type { Route } from './+types/not-found.ts';

export function loader() {
  return data(null, { status: 404 });
}

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(en.notFound.title, matches)];
}

export default NotFoundScreen;
