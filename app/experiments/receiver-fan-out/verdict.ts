import type { RunVerdict } from '../../engine/experiment/experiment';
import { othersTexts, rowToReport, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import { armOf, arms, type Costs, costsOf } from './costs';

/** The worst of the rows; the sentence says what was found, and the row that decided. */
export function receiverFanOutVerdict(rows: readonly StreamsRow[], maxReceivers: number): RunVerdict {
  const of = (arm: 'receivers' | 'senders'): StreamsRow[] => rows.filter((row) => armOf(row) === arm);
  const finding = findingOf(costsOf(of('receivers')), costsOf(of('senders')));
  const broken = rowToReport(rows);
  const measured = arms.map((arm) => of(arm).length);
  const isShort = measured.some((count) => count < maxReceivers);
  const worst = worstVerdictOf(rows);
  const parts = [finding];
  if (broken) parts.push(`${broken.label}: ${wordsOf(broken.reason)}`, ...othersTexts(rows, broken));
  if (isShort)
    parts.push(
      `${measured.join(' and ')} of ${maxReceivers} rows with receivers and with senders were measured`,
    );
  return { verdict: isShort && worst !== 'INVALID' ? 'FAIL' : worst, reason: parts.join('; ') };
}

/** The study's finding in our own numbers: a further receiver against a further sender. */
function findingOf(receiver: Costs, sender: Costs): string {
  const further = costText(receiver);
  if (!further)
    return 'what one more receiver costs cannot be known: it takes two rows without a loss, in which the instrument kept up';
  const first = `one more receiver on a sender costs ${further}`;
  const other = costText(sender);
  if (!other) return first;
  const shares = [
    shareText('bandwidth', receiver.mbps, sender.mbps),
    shareText('sending CPU', receiver.sendingCpuPercent, sender.sendingCpuPercent),
  ].filter(Boolean);
  const against = shares.length > 0 ? `: a further receiver takes ${shares.join(' and ')}` : '';
  return `${first}; one more sender with its receiver ${other}${against}`;
}

function costText({ mbps, sendingCpuPercent, receivingCpuPercent }: Costs): string {
  return [
    mbps === null ? '' : `${mbps.toFixed(1)} Mb/s`,
    sendingCpuPercent === null ? '' : `${sendingCpuPercent.toFixed(2)} % sending CPU`,
    receivingCpuPercent === null ? '' : `${receivingCpuPercent.toFixed(2)} % receiving CPU`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Of what is too small to be measured, no share is reported. */
function shareText(what: string, part: number | null, whole: number | null): string {
  if (part === null || whole === null || !(part > 0 && whole > 0)) return '';
  return `${Math.round((100 * part) / whole)} % of a further sender’s ${what}`;
}
