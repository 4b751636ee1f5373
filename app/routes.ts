import { index, type RouteConfig } from '@react-router/dev/routes';

/** Every address of the site. The server answers a visitor's `/item/{id}` and the redirects of a scan before these. */
export default [index('./routes/landing.tsx')] satisfies RouteConfig;
