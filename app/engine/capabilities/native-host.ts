import type { HostConnection } from '../streams/host-connection';

/** A process of ours that is asked what only native code can find out, such as movies and the drivers of network cards. */
export type NativeHost = Pick<HostConnection, 'request'>;
