import { anotherSenderText } from '../facts/another-sender';
import type { Fact } from '../facts/fact';
import { isUnjudged } from '../facts/precedence';
import { wordsOf } from '../facts/reason-words';
import { numberOf } from '../facts/row-figures';
import { defaultThresholds } from '../protocol/thresholds';
import { type Finding, notMeasured, type Rule } from './finding';
import { areOfOneSender } from './sent-sources';
import type { Measurement, StreamEvent } from './types';
import { noPicture, outageTexts, showsNothing, silenceAtEnd } from './unseen';

/** When what a rule found is known. */

/** What is found is not known where the machine was busy, and what holds of no picture, or of those of one source of several, is none. */
export function unlessInvalid(rule: Rule): Rule {
  return (measured) => {
    const finding = rule(measured);
    if (followsOther(measured)) return notMeasured(measured, anotherShown);
    if (finding.outcome !== 'broken' && showsNothing(measured)) return notMeasured(measured, noPicture);
    const invalid = measured.rows.find(({ verdict }) => verdict === 'INVALID');
    if (invalid) return invalidFinding(measured, finding, invalid.reason);
    if (finding.outcome !== 'holds') return finding;
    const silence = silenceAtEnd(measured);
    if (silence !== undefined) return notMeasured(measured, silence);
    const others = measured.rows.flatMap(({ reason }) =>
      reason.filter(({ code }) => code === 'other-source'),
    );
    return others.length === 0
      ? finding
      : notMeasured(measured, `${wordsOf(others)}: watch a mixer with programme: true`);
  };
}

export const anotherShown = 'another of our sources was shown: watch a mixer with programme: true';

/** Pictures of another source came, whether they were followed or not. */
export function showsOther(measured: Measurement): boolean {
  return (
    followsOther(measured) ||
    measured.standstill === anotherSenderText ||
    measured.rows.some(
      (row) =>
        (numberOf(row, 'picturesWrongSource') ?? 0) > 0 ||
        row.reason.some(({ code }) => code === 'other-source'),
    )
  );
}

/** Another source followed without a break; a sender of this test that was started again has another id, and is the same. */
function followsOther({ events }: Measurement): boolean {
  return events.some((event) => event.details.isRestart === false && isOfTwo(event));
}

function isOfTwo({ kind, details: { sourceIds } }: StreamEvent): boolean {
  if (kind !== 'sender-restarted' || !Array.isArray(sourceIds)) return false;
  const [from, to] = sourceIds;
  return typeof from === 'number' && typeof to === 'number' && !areOfOneSender(from, to);
}

/** What holds of the pictures that came says nothing of a time in which their sender was gone, nor of another one behind it. */
export function ofPictures(rule: Rule): Rule {
  return unlessInvalid((measured) => {
    const finding = rule(measured);
    const gone = goneIn(measured);
    return finding.outcome === 'holds' && gone !== undefined ? notMeasured(measured, gone) : finding;
  });
}

/** Of a sender that was silent, and whose next picture gave the number of those that it had lost, the pictures are known. */
function goneIn({ outages, events }: Measurement): string | undefined {
  const away = outages.filter(({ startedAt }) => {
    const end = outages.filter((part) => part.startedAt === startedAt).at(-1);
    return end?.endedAt === null || end?.framesEstimated !== 0;
  });
  const anew = events.some(isOfTwo)
    ? 'its sender was started again, or a mixer cut: watch a mixer with programme: true'
    : 'whether it was so then was not seen';
  return outageTexts(away).map((text) => `${text}; ${anew}`)[0];
}

/** What only the code in the pictures says is not known of others, whatever the machine did. */
export function byCode(why: string, rule: Rule): Rule {
  const judge = ofPictures(rule);
  return (measured) =>
    measured.method === 'timestamps'
      ? notMeasured(measured, `its pictures carry no frame code, ${why}`)
      : judge(measured);
}

/** What was found comes first, as in a row's reason. One fact of each is enough for a message; the report has all. */
function invalidFinding(measured: Measurement, { outcome, text }: Finding, reason: readonly Fact[]): Finding {
  const unjudged = reason.filter(isUnjudged).slice(0, 1);
  const why = reason.filter((fact) => !isUnjudged(fact)).slice(0, 1);
  return outcome === 'broken'
    ? {
        outcome: 'not-measured',
        text: `${text}, not judged: INVALID: ${wordsOf(why)}${why.some(isOfLimit) ? wider : ''}`,
      }
    : notMeasured(measured, `INVALID: ${wordsOf([...unjudged, ...why])}`);
}

const wider = '; on a busy machine set thresholds of watch to a file with wider limits';
const { maxOthersPercent, maxStealPercent, maxStandstillSeconds } = defaultThresholds;
/** What a machine may do to a row, by the limit in the fact, as long as nobody set another one. */
const limitOf: Readonly<Record<string, Fact['data']>> = {
  'others-busy': { limitPercent: maxOthersPercent },
  'cpu-stolen': { limitPercent: maxStealPercent },
  'process-stopped': { limitSeconds: maxStandstillSeconds },
  'process-starved': { limitSeconds: maxStandstillSeconds },
};

function isOfLimit({ code, data }: Fact): boolean {
  const limit = limitOf[code];
  return limit !== undefined && Object.entries(limit).every(([name, value]) => data[name] === value);
}
