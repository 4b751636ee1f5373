// `npm run set-up`: installs the packages and builds the pages, and starts nothing. For an operator whose service may not
// write into its own program, and who updates it. Plain JavaScript, as the other launchers.
import { setUp } from './launch/set-up.mjs';

setUp({ pages: true });
