import type { SeenDevice } from './resources';

/** Where the Connection API of a device is (IS-05 Interoperability: IS-04, Discovery). */

const controlTypes = ['urn:x-nmos:control:sr-ctrl/v1.1', 'urn:x-nmos:control:sr-ctrl/v1.0'];

/** Addresses without a slash at their end, of the newest version that the device and we speak, in the device's order; empty: it has none. */
export function connectionApisOf({ controls }: SeenDevice): string[] {
  for (const type of controlTypes) {
    const hrefs = controls.filter((control) => control.type === type).map(({ href }) => href);
    if (hrefs.length > 0) return hrefs.map((href) => href.replace(/\/+$/, ''));
  }
  return [];
}
