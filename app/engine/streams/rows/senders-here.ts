import type { LoadSample, RoleLoad } from '../../../protocol/load';
import type { Thresholds } from '../../../protocol/thresholds';
import { othersCpuOf } from '../../load/load-sums';
import type { Stream } from '../stream';

/** The role of senders that are programs of their own on this machine. */
const role = 'senders';

type Sender = Pick<Stream, 'reportedLoads' | 'endedNs' | 'id'> & {
  ledger: { identity: { sourceId: number } } | null;
};

/**
 * This machine's samples, with what senders of these streams took that run on it as programs of their own: they are no other programs.
 * They report it along with their records, of the same seconds, since all of us look at the beats of one clock. Where one did not, what
 * others took is not known, unless they took little even with all of that sender's work.
 */
export function withSendersHere(
  samples: readonly LoadSample[],
  streams: readonly Sender[],
  { maxOthersPercent }: Pick<Thresholds, 'maxOthersPercent'>,
): readonly LoadSample[] {
  const here = streams.filter(({ reportedLoads }) => reportedLoads.isHere);
  if (here.length === 0) return samples;
  const senders = bySource(here);
  return samples.map((sample) => {
    const others = othersCpuOf(sample);
    const own = ownPercent(senders, sample.atNs);
    if (own !== null) return { ...sample, roles: { ...sample.roles, [role]: roleLoad(own) } };
    if (typeof others === 'string' || others < maxOthersPercent) return sample;
    const notMeasured = { ...sample.notMeasured, [`roles.${role}`]: notReported };
    return { ...sample, roles: { ...sample.roles, [role]: null }, notMeasured };
  });
}

const notReported = 'the sender on this machine did not report what it took itself';

/** All streams of one source have one sending program, and each of them reports it. */
function bySource(streams: readonly Sender[]): Sender[][] {
  const sources = new Map<number, Sender[]>();
  for (const stream of streams) {
    const source = stream.ledger?.identity.sourceId ?? -stream.id;
    sources.set(source, [...(sources.get(source) ?? []), stream]);
  }
  return [...sources.values()];
}

/** CPU of all senders together; null: one of them did not report it, and was not known to be gone. */
function ownPercent(senders: readonly Sender[][], atNs: number): number | null {
  /** One program may have played several sources, one after the other: each of its reports counts once. */
  const byReport = new Map<number, number>();
  for (const streams of senders) {
    const reports = streams.flatMap(({ reportedLoads }) => reportedLoads.at(atNs) ?? []);
    const [report] = reports;
    const isGone = streams.every(({ endedNs }) => endedNs !== null && atNs > endedNs);
    if (!report && isGone) continue;
    if (!report || report.cpuPercent === null || report.othersPercent === null) return null;
    byReport.set(report.atNs, Math.max(0, report.cpuPercent - report.othersPercent));
  }
  return [...byReport.values()].reduce((sum, percent) => sum + percent, 0);
}

function roleLoad(cpuPercent: number): RoleLoad {
  return { cpuPercent, memoryMb: 0, stopped: false, parts: null };
}
