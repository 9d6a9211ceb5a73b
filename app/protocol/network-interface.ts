/** What the driver of a network interface reports, as the native addon asks it; a null has its reason in `notKnown`. */
export interface NetworkInterfaceFacts {
  mtuBytes: number | null;
  /** Empty texts: it says nothing there. */
  driver: { name: string; version: string; firmware: string; bus: string } | null;
  /** A speed of null: no cable, or a card that cannot report it, as virtual ones. */
  link: { speedMbps: number | null; fullDuplex: boolean | null; autonegotiation: boolean | null } | null;
  /** Energy-Efficient Ethernet, IEEE 802.3az. Active: agreed with the other end. */
  eee: { enabled: boolean; active: boolean } | null;
  /** Stamps of the hardware, for PTP; `ptp`: number of its clock under /dev. */
  clock: { stampsTransmitted: boolean; stampsReceived: boolean; ptp: number | null } | null;
  /** By the kernel's own names, such as tx-tcp-segmentation; empty if not known. */
  offloads: Record<string, boolean>;
  notKnown: Record<string, string>;
}

/** An interface of this machine, to be chosen by its name. */
export interface InterfaceOffer {
  name: string;
  /** IPv4. */
  addresses: readonly string[];
  /** Null: no cable, or a card that does not report it. */
  speedMbps: number | null;
  isDown: boolean;
}
