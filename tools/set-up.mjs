// `npm run set-up`: installs the packages and builds the pages without starting the server. For updates by an operator
// whose service may not write to its own program. Plain JavaScript, like the other launchers.
import { setUp } from './launch/set-up.mjs';

setUp({ pages: true });
