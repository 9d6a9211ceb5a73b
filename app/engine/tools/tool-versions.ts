/** Versions of other programs, and what is different with them: the one table of it. */

type Version = readonly [major: number, minor: number];

/** The first version that has it, as far as it is known: of iperf3 3.12 and fio 3.33 alone it was seen. What a report has in it decides first. */
const firstVersions = {
  /** `--connect-timeout` and `--forceflush`. */
  iperfWaitsAndFlushes: [3, 2],
  /**
   * UDP has separate sums for what was sent and what arrived; in earlier versions one sum has the bytes of the sender and the losses of the
   * receiver.
   */
  iperfSumsOfBothEnds: [3, 10],
  /** A thread for each stream; before it, all streams of one end share one. */
  iperfThreads: [3, 16],
  /** As a client it takes losses as 0 from a server that does not report those of omitted time apart, which is one up to 3.12. */
  iperfLossesNeedNewServer: [3, 17],
  /** Bytes whole and times in ns; before it KiB and µs. */
  fioBytesAndNanoseconds: [2, 99],
  /** All that the server of a fleet is asked for; of 2.9 it was seen. */
  natsForFleets: [2, 9],
} as const satisfies Readonly<Record<string, Version>>;

export type ToolFeature = keyof typeof firstVersions;

/**
 * Whether this version has it; null: the version is not known.
 * @param text such as "iperf 3.17.1", "fio-3.33" or "nats-server: v2.9.10"
 */
export function hasFeature(feature: ToolFeature, text: string | null): boolean | null {
  const version = versionOf(text);
  if (!version) return null;
  const [major, minor] = version;
  const [firstMajor, firstMinor] = firstVersions[feature];
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

function versionOf(text: string | null): Version | null {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text ?? '') ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}
