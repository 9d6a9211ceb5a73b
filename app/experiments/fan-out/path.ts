import { isElsewhere } from '../../engine/experiment/on-machines';
import { here, type ProgramNetwork } from '../../engine/tools/namespace';
import type { FanOutParameters } from './declaration';
import type { EndMachine } from './end-machine';
import { OwnNetwork, ownInterface, publisherAddress, shapeOf, subscriberAddress } from './own-network';

/** Between which ends samples go. */
export type PathKind = 'loopback' | 'own' | 'machines';

export const pathWords: Record<PathKind, string> = {
  loopback: 'loopback, no wire',
  own: 'a bridge in memory, no wire',
  machines: 'the network between machines',
};

/** Where something runs, by which interface it is reached, and at which address. */
export interface End extends ProgramNetwork {
  interface: string;
  address: string;
  /** Absent: this one, where no other takes part. */
  machine?: EndMachine;
}

export interface OpenPath {
  kind: PathKind;
  publisher: End;
  /** At least one. */
  subscribers: readonly End[];
  /** Of the publisher’s uplink; null: none that is known. */
  linkMbps: number | null;
  /** By the subscribers’ interfaces, so far; null: they are the publisher’s too, or on other machines. */
  receivedBytes(): number | null;
  close(): Promise<void>;
}

/**
 * What one datagram takes of the link beside its IP packet: a shaper counts the Ethernet header alone; a card preamble, checksum and
 * gap, too; loopback nothing.
 */
export const linkHeaderBytes: Record<PathKind, number> = { loopback: 0, own: 14, machines: 38 };

export function pathKindOf(
  parameters: Pick<FanOutParameters, 'namespaces' | 'sendOn' | 'receiveOn'>,
): PathKind {
  if (isElsewhere(parameters)) return 'machines';
  return parameters.namespaces === 0 ? 'loopback' : 'own';
}

/** On this machine alone. @throws WhitelineError TOOL_FAILED if it cannot be opened, ABORTED */
export async function openPath(parameters: FanOutParameters, signal?: AbortSignal): Promise<OpenPath> {
  if (pathKindOf(parameters) === 'loopback') {
    const end: End = { ...here, interface: 'lo', address: '127.0.0.1' };
    return {
      ...{ kind: 'loopback', publisher: end, subscribers: [end], linkMbps: null },
      receivedBytes: () => null,
      close: async () => undefined,
    };
  }
  const { namespaces, link, sendBufferBytes } = parameters;
  const shape = link === undefined ? null : shapeOf(link, sendBufferBytes);
  const network = await OwnNetwork.create(namespaces, shape, signal);
  const at = ({ inside }: ProgramNetwork, address: string): End => ({
    inside,
    interface: ownInterface,
    address,
  });
  return {
    kind: 'own',
    publisher: at(network.publisher, publisherAddress),
    subscribers: network.subscribers.map((end, place) => at(end, subscriberAddress(place))),
    linkMbps: link ?? null,
    receivedBytes: () => network.receivedBytes(),
    close: () => network.close(),
  };
}
