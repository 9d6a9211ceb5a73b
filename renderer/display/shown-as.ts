import type { ViewedPicture } from '../../app/protocol/display';
import { figure } from '../format';
import { texts } from '../texts';

const { display } = texts;

/** In words, how a stream is shown: as it is, or how much less. */
export function shownAs(picture: Omit<ViewedPicture, 'pixels'>): { text: string; isReduced: boolean } {
  const { streamWidth, streamHeight, width, height, reducedBy, everyNth } = picture;
  const { isField, rateNumerator, rateDenominator } = picture;
  const linesOfRow = isField ? 2 : 1;
  const rate = rateDenominator === 0 ? null : rateNumerator / rateDenominator;
  const stream = display.size(
    `${streamWidth}×${streamHeight * linesOfRow}`,
    figure(rate, rate !== null && !Number.isInteger(rate) ? 2 : 0),
  );
  const less = [
    reducedBy > 1 ? display.reduced(`${width}×${height * linesOfRow}`) : '',
    everyNth > 1 ? display.reducedRate(everyNth) : '',
  ].filter((text) => text !== '');
  const isReduced = less.length > 0;
  return { text: `${stream}, ${isReduced ? less.join(', ') : display.fullSize}`, isReduced };
}
