import { existsSync } from 'node:fs';
import path from 'node:path';
import { appFolder } from './paths';

const drawn = path.join(appFolder, 'dist/icons/256x256.png');

/**
 * Of every window: on Linux a window has to bring its own, elsewhere the executable's is shown. `npm run package` draws it,
 * so that a checkout may be without.
 */
export const windowIcon = process.platform === 'linux' && existsSync(drawn) ? { icon: drawn } : {};
