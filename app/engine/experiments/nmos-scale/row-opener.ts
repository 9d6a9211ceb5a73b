import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { type Guard, violatedBy } from '../../../protocol/precedence';
import { reasonOf } from '../../../protocol/reason-words';
import type { Thresholds } from '../../../protocol/thresholds';
import { type OthersLoad, othersCpu } from '../../load/others-guard';
import { openTableRow, type RowContext, type RowFrame } from '../table-row';

/** Opens the rows of a run, each with one guard for what other programs took. */
export class RowOpener {
  /** Before the run started its own programs; null: not measured yet. */
  before: OthersLoad | null = null;
  /**
   * An external registry runs on this machine: in a row its work for the run cannot be told from that of other programs, so that what
   * these took before the run guards all rows.
   */
  isRegistryHere = false;

  constructor(private readonly context: RowContext) {}

  open(): () => RowFrame {
    const { context, isRegistryHere, before } = this;
    const close = openTableRow(context, { judgesOthers: isRegistryHere });
    return () => {
      const frame = close();
      if (!isRegistryHere) return frame;
      return { ...frame, guards: [...frame.guards, beforeGuard(before, context.thresholds)] };
    };
  }
}

export function beforeGuard(
  before: OthersLoad | null,
  { maxOthersPercent: limitPercent }: Pick<Thresholds, 'maxOthersPercent'>,
): Guard {
  const percent = before?.percent ?? null;
  if (percent !== null)
    return violatedBy(percent >= limitPercent ? [reasonOf('busy-before', { percent, limitPercent })] : []);
  const why = before?.whyUnknown ?? 'it was not measured';
  return {
    state: 'not-evaluated',
    facts: [reasonOf('not-checked', { what: `${othersCpu} before the run`, why })],
  };
}

/** Whether a URL leads to this machine; false for a name that no one knows. */
export async function leadsHere(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const own = Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.map(({ address }) => address),
  );
  return found.some(({ address }) => /^127\./.test(address) || own.includes(address));
}
