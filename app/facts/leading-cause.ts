import type { CauseCode } from './cause-words';
import type { Fact } from './fact';
import { type LossStage, stagesOfTheWay } from './loss';

/** How a loss came about, or a part of it; what else was there at the time stands behind. */
const manners: ReadonlySet<string> = new Set<CauseCode>(['injected', 'sdk-send-blocked', 'disconnected']);

/** What comes first of what was there at the time of a loss. */
export function leadingCause(causes: readonly Fact[]): Fact | undefined {
  return causes.find(({ code }) => !manners.has(code));
}

/** An end of the way of a stream. */
export type End = 'sender' | 'receiver';

/** At which end what a cause says happened; null: on the way, at both, or that is not known. */
const endOfCause: Record<CauseCode, End | null | ((data: Fact['data']) => unknown)> = {
  ...{ 'receiving-died': 'receiver', 'receiving-stopped': 'receiver', 'receiver-late': 'receiver' },
  ...{ 'sending-stopped': 'sender', 'sender-stopped': 'sender', 'sender-late': 'sender' },
  ...{ 'sender-injected': 'sender', 'sender-restarted': 'sender', 'sender-clock-step': 'sender' },
  ...{ 'late-disk': 'sender', 'late-decode': 'sender', 'mixer-cut': null },
  'process-waited': ({ role }) => (role === 'sending' ? 'sender' : role === 'receiving' ? 'receiver' : null),
  'cpu-full': ({ whose }) => whose,
  ...{ injected: null, 'sdk-send-blocked': null, disconnected: null, 'not-seen': null },
  ...{ 'wall-clock-step': null, 'machine-suspended': null, 'machine-stood-still': null },
  ...{ 'cpu-stolen': null, 'core-full': null, 'link-down': null, 'mtu-changed': null },
  ...{ 'interface-full': null, 'interface-drops': null, 'interface-errors': null, 'tcp-retransmits': null },
  ...{ 'traffic-stopped': null, 'traffic-fell': null, 'traffic-limited': null, 'traffic-low': null },
  ...{ 'code-lost': null, 'picture-changed': null, 'code-covered': null, 'picture-scaled': null },
  ...{ 'colour-lost': null, 'levels-changed': null, 'label-changed': null },
};
const ends = new Map<string, (typeof endOfCause)[CauseCode]>(Object.entries(endOfCause));

/**
 * At which end of the way frames were lost, where their stage is no more than the way and their cause is at one end: a receiver that
 * was stopped fetches nothing, and what the transport drops meanwhile nobody counts.
 */
export function endOfLoss(stage: LossStage, causes: readonly Fact[] = []): End | null {
  const leading = leadingCause(causes);
  if (!stagesOfTheWay.includes(stage) || !leading) return null;
  const end = ends.get(leading.code) ?? null;
  const known = typeof end === 'function' ? end(leading.data) : end;
  return known === 'sender' || known === 'receiver' ? known : null;
}
