import type { LinkDirection, LinkParameters } from '../../../protocol/experiments/link/declaration';

/** What is set for one row of iperf3. */
export interface RowPlan {
  direction: LinkDirection;
  streams: number;
  /** Null: TCP. */
  datagramBytes: number | null;
}

/** TCP first: what it reaches is the target of UDP where the link's speed is not known. */
export function rowPlans({ protocols, directions, streams, datagramBytes }: LinkParameters): RowPlan[] {
  const sizes = [
    ...(protocols.includes('tcp') ? [null] : []),
    ...(protocols.includes('udp') ? [...datagramBytes].sort((a, b) => a - b) : []),
  ];
  const [tcp, udp] = [sizes.filter((size) => size === null), sizes.filter((size) => size !== null)];
  return [tcp, udp].flatMap((ofProtocol) =>
    directions.flatMap((direction) =>
      streams.flatMap((count) =>
        ofProtocol.map((size) => ({ direction, streams: count, datagramBytes: size })),
      ),
    ),
  );
}

/** The row in words. */
export function labelOf({ direction, streams, datagramBytes }: RowPlan): string {
  const parallel = streams === 1 ? '' : `, ${streams} streams side by side`;
  const protocol = datagramBytes === null ? 'TCP' : `UDP with ${datagramBytes}-byte datagrams`;
  return `${protocol}, ${direction === 'send' ? 'to' : 'from'} the other end${parallel}`;
}
