import { counted } from '../facts/count-words';
import { type Finding, found, notMeasured, type Rule } from './finding';
import { isNamed, isSent, isSentAs } from './sent-sources';
import type { Cut, Measurement } from './types';
import { noPicture, showsNothing, silenceIn } from './unseen';

/** What matchers find in the cuts of a programme. */

/**
 * The newest cut is the one that counts.
 * @param cuts since the mark; null: they were not looked for
 * @param lateSeconds so long after it was asked for, a cut to the source came; null: none did so far
 * @param isKnown whether the source is one of the stream's
 */
export function cutsTo(
  source: string,
  seconds: number,
  cuts: readonly Cut[] | null,
  lateSeconds: number | null = null,
  isKnown = true,
): Rule {
  const isSeen = (known: readonly Cut[]): boolean =>
    lateSeconds !== null || known.slice(-1).some((cut) => isOf(cut, source));
  return ofProgramme(cuts, isSeen, (measured, known) => {
    const expectation = [`expected ${source}`, `expected no cut to ${source}`] as const;
    const newest = known.at(-1);
    if (!isKnown)
      return notMeasured(
        measured,
        `${source} is no source that this test sent or watches: name it in the option sources of watch`,
      );
    if (lateSeconds !== null) {
      const late = `it came after ${lateSeconds.toFixed(1)} s`;
      return found(
        false,
        `${measured.source} did not cut to ${source} within ${seconds} s: ${late}`,
        expectation,
      );
    }
    if (!newest)
      return found(
        false,
        `${measured.source} did not cut within ${seconds} s${before(measured)}`,
        expectation,
      );
    if (isOf(newest, source))
      return found(true, `${measured.source} cut to ${source} at ${newest.at}`, expectation);
    if (newest.to.name === null && !isSent(source))
      return notMeasured(
        measured,
        `it cut to source ${newest.to.sourceId}, whose name is not known: name it in the option sources of watch`,
      );
    return found(false, `${measured.source} cut to ${shownName(newest)}`, expectation);
  });
}

/** A mark that is made after a cut hides it. */
function before({ cutBefore }: Measurement): string {
  return cutBefore === null
    ? ''
    : `: its last cut, to ${shownName(cutBefore)} at ${cutBefore.at}, came before the mark`;
}

function shownName({ to }: Cut): string {
  return to.name ?? `source ${to.sourceId}`;
}

export function isOf({ to }: Cut, source: string): boolean {
  if (isSentAs(to.sourceId, source)) return true;
  return to.name !== null && isNamed(to.name, source);
}

export function hasCuts(count: number, cuts: readonly Cut[] | null): Rule {
  return ofProgramme(
    cuts,
    (known) => known.length > count,
    (measured, known) => {
      const names = known.map((cut) => `${cut.at} to ${shownName(cut)}`).join(', ');
      const had = `${measured.source} had ${counted(known.length, 'cut')}`;
      const text = known.length < count ? `${had}${before(measured)}` : had;
      return found(known.length === count, names === '' ? text : `${text}: ${names}`, [
        `expected ${count}`,
        `expected another number than ${count}`,
      ]);
    },
  );
}

/** @param isSeen whether the cuts that came decide it, whatever came of the programme then */
function ofProgramme(
  cuts: readonly Cut[] | null,
  isSeen: (known: readonly Cut[]) => boolean,
  judge: (measured: Measurement, known: readonly Cut[]) => Finding,
): Rule {
  return (measured) => {
    if (measured.method === 'timestamps')
      return notMeasured(measured, 'its cuts cannot be seen: the source has no frame code');
    if (cuts === null)
      return notMeasured(measured, 'its cuts were not looked for: watch it with the option programme');
    if (showsNothing(measured)) return notMeasured(measured, noPicture);
    const silence = isSeen(cuts) ? undefined : silenceIn(measured);
    return silence === undefined ? judge(measured, cuts) : notMeasured(measured, silence);
  };
}
