import { type ProcessStandstill, StandstillLog, type Who } from '../engine/load/standstills';

/** A process that was stopped between two moments, in seconds. */
export function stopped(who: Who, fromSeconds: number, toSeconds: number): ProcessStandstill {
  return { who, kind: 'stopped', fromNs: fromSeconds * 1e9, toNs: toSeconds * 1e9 };
}

/** What is known of these, as rows ask for it. */
export function near(...pieces: ProcessStandstill[]): StandstillLog['near'] {
  const log = new StandstillLog();
  log.addAll(pieces);
  return (fromNs, toNs) => log.near(fromNs, toNs);
}
