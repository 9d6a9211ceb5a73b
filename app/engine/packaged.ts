import { basename, dirname } from 'node:path';

/**
 * The folder of a packaged app's resources, where everything stands that cannot be in its archive; null in a checkout.
 * @param appFolder the checkout, or the archive
 */
export function packagedResources(appFolder: string): string | null {
  return basename(appFolder) === 'app.asar' ? dirname(appFolder) : null;
}
