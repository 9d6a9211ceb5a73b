import { hashOf } from './stamp.mjs';

/** What the addons are compiled against, of npm's packages. */
export const addonHeaders = ['node_modules/node-api-headers/include', 'node_modules/node-addon-api'];

/** Of the headers that are not ours. npm and archives give files old times, by which no change would show. */
export function headersIdentity(ndiIncludeFolder) {
  return hashOf([...addonHeaders, ndiIncludeFolder]);
}
