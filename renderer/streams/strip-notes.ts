import type { StreamView } from '../../app/protocol/console';
import { texts } from '../texts';

const { streams } = texts;

/** A sentence below the figures. */
export interface StripNote {
  kind: 'cause' | 'method' | 'interlaced' | 'loss' | 'verdict' | 'played';
  lead: string;
  text: string;
  /** More than there is room for. */
  help?: string;
}

/** Senders that this console started, here or elsewhere, are not of others. */
function isOfOthers({ isSenderRemote, sentFrom, receivedOn }: StreamView): boolean {
  return isSenderRemote && sentFrom === null && receivedOn === null;
}

/** What is particular about how the stream comes, and what that means for its counts. */
export function kindsOf(stream: StreamView): StripNote[] {
  const { method, frameFormat, connectMs } = stream;
  const kinds: StripNote[] = [];
  if (isOfOthers(stream) && connectMs !== null)
    kinds.push({
      ...{ kind: 'method', lead: streams.followed[method], text: streams.followedText[method] },
      help: streams.followedHelp[method],
    });
  if (frameFormat === 'fields' || frameFormat === 'interleaved')
    kinds.push({ kind: 'interlaced', ...streams.interlaced[frameFormat] });
  return kinds;
}

/** What its state means for the counts; empty if they go on. */
function countingIn({ state, method, countedTo }: StreamView): string {
  if (state === 'wrong-source') return streams.notCounted;
  if (state !== 'undecodable' || method === 'timestamps') return '';
  return countedTo === null ? streams.notCountedYet : streams.countedUndecodable;
}

/** The figures of lost frames count neither what was never submitted nor an outage: each has a word of its own. */
export function lastLossOf({ lastLoss, lastLossStage }: StreamView): StripNote[] {
  const { lastLoss: ofFrames, lastMiss, lastOutage } = streams;
  const lead = lastLossStage === 'sender' ? lastMiss : lastLossStage === 'outage' ? lastOutage : ofFrames;
  return lastLoss === '' ? [] : [{ kind: 'loss', lead: `${lead}:`, text: lastLoss }];
}

/** What an operator has to know beyond the figures: the state with its cause until the stream has ended, the newest loss, why the verdict. */
export function notesOf(stream: StreamView, isEnded = false): StripNote[] {
  const { state, stateText, remedy, verdict, reason, sourceRemarks } = stream;
  const notes: StripNote[] = [];
  if (state !== 'receiving' && !isEnded) {
    const text = [countingIn(stream), remedy].filter((sentence) => sentence !== '').join(' ');
    notes.push({ kind: 'cause', lead: stateText, text });
  }
  notes.push(...kindsOf(stream));
  if (verdict !== null && verdict !== 'PASS' && reason !== '' && reason !== stateText) {
    notes.push({ kind: 'verdict', lead: streams.verdict(verdict), text: reason });
  }
  notes.push(...lastLossOf(stream));
  if (sourceRemarks.length > 0)
    notes.push({ kind: 'played', lead: `${texts.source.played}:`, text: sourceRemarks.join('; ') });
  return notes;
}
