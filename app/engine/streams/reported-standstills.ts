import { type Standstill, type StandstillSums, standstillKinds } from '../../protocol/standstill';

/** One message may have travelled for this much longer than the next. */
const onTheWayNs = 0.5e9;

/** Standstills of a sender's process, by the sums that it reports. It may be any program: no more counts than can be true. */
export class ReportedStandstills {
  private newest: { sums: StandstillSums; heardNs: number } | null = null;

  /**
   * What the sums rose by since they were heard before ended just now and began since then. The first sums say nothing, nor do those
   * of a process that was started again: one of them is lower.
   */
  hear(sums: StandstillSums, nowNs: number): Standstill[] {
    const before = this.newest;
    this.newest = { sums, heardNs: nowNs };
    if (!before) return [];
    const risesMs = standstillKinds.map((kind) => sums[`${kind}Ms`] - before.sums[`${kind}Ms`]);
    if (risesMs.some((riseMs) => riseMs < 0)) return [];
    const earliestNs = before.heardNs - onTheWayNs;
    return standstillKinds.flatMap((kind, index) => {
      const fromNs = Math.max(nowNs - (risesMs[index] ?? 0) * 1e6, earliestNs);
      return fromNs < nowNs ? { kind, fromNs, toNs: nowNs } : [];
    });
  }
}
