import { type LinkDirection, type LinkParameters, linkProtocols } from './declaration';

/** What is set for one row of iperf3. */
export interface RowPlan {
  direction: LinkDirection;
  streams: number;
  /** Null: TCP. */
  datagramBytes: number | null;
  /** True: sends at the rate of a number of NDI streams. False: fills the link. */
  isHeld: boolean;
}

/** TCP first: what it reaches is the target of UDP where the link's speed is not known. */
export function rowPlans({
  rates,
  protocols,
  directions,
  streams,
  datagramBytes,
}: LinkParameters): RowPlan[] {
  if (!rates.includes('line')) return [];
  const sizes = [
    ...(protocols.includes('tcp') ? [null] : []),
    ...(protocols.includes('udp') ? [...datagramBytes].sort((a, b) => a - b) : []),
  ];
  const [tcp, udp] = [sizes.filter((size) => size === null), sizes.filter((size) => size !== null)];
  return [tcp, udp].flatMap((ofProtocol) =>
    directions.flatMap((direction) =>
      streams.flatMap((count) =>
        ofProtocol.map((size) => ({ direction, streams: count, datagramBytes: size, isHeld: false })),
      ),
    ),
  );
}

/**
 * Rows at the rates of these numbers of streams.
 * @param packetBytes payload of a datagram that fills one packet
 */
export function heldPlans(
  { protocols }: Pick<LinkParameters, 'protocols'>,
  direction: LinkDirection,
  steps: readonly number[],
  packetBytes: number,
): RowPlan[] {
  return linkProtocols.flatMap((protocol) => {
    const datagramBytes = protocol === 'udp' ? packetBytes : null;
    if (!protocols.includes(protocol)) return [];
    return steps.map((streams) => ({ direction, streams, datagramBytes, isHeld: true }));
  });
}

/** The row in words. */
export function labelOf({ direction, streams, datagramBytes, isHeld }: RowPlan): string {
  const way = `${direction === 'send' ? 'to' : 'from'} the other end`;
  if (isHeld) {
    const rate = streams === 1 ? 'one NDI stream' : `${streams} NDI streams`;
    return `${datagramBytes === null ? 'TCP' : 'UDP'} at the rate of ${rate}, ${way}`;
  }
  const parallel = streams === 1 ? '' : `, ${streams} streams side by side`;
  const protocol = datagramBytes === null ? 'TCP' : `UDP with ${datagramBytes}-byte datagrams`;
  return `${protocol}, ${way}${parallel}`;
}
