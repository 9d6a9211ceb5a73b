import type { StreamHost } from '../streams/stream-host';

/** A process of ours that is asked what only native code can find out, such as movies and the drivers of network cards. */
export type NativeHost = Pick<StreamHost, 'request'>;
