import { WhitelineError } from '../../protocol/errors';
import type { AgentLimits } from '../../protocol/fleet/presence';
import { formatText, framesPerSecond, type VideoFormat } from '../../protocol/format';
import type { OpenSource } from '../../protocol/host';

/** What the agent's own user lets consoles do at most; null: no such limit. */
export interface Limits {
  /** Senders and receivers together. */
  streams: number;
  /** Width, height and frames per second, each by itself. */
  format: VideoFormat | null;
  /** Of one lease, from its beginning. */
  minutes: number | null;
  /** Of all logs of captured numbers of one lease; default: `defaultLogBytes`. */
  logBytes?: number;
}

/** 64 streams at 60 frames a second for 7 hours. */
export const defaultLogBytes = 4e9;

/** A console needs one host for sending and one for receiving beside those of single streams. */
const hostsBesideStreams = 2;

function refused(field: string, value: string | number, message: string): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    ...{ message, field, value: String(value) },
    remedy: 'This limit is set where the agent is started',
  });
}

/** As other machines read them. */
export function limitsText({ format, logBytes = defaultLogBytes, ...limits }: Limits): AgentLimits {
  return { ...limits, logBytes, format: format && formatText(format) };
}

/** @throws WhitelineError BAD_INPUT if one more is one too many. */
export function checkStreams({ streams }: Limits, open: number): void {
  if (open >= streams)
    throw refused('streams', open + 1, `This agent opens at most ${streams} streams for a console`);
}

/** @throws WhitelineError BAD_INPUT if one more is one too many. */
export function checkHosts({ streams }: Limits, running: number): void {
  const most = streams + hostsBesideStreams;
  if (running >= most) throw refused('hosts', running + 1, `This agent starts at most ${most} stream hosts`);
}

/** @throws WhitelineError BAD_INPUT for a picture that is larger or comes more often than it may. */
export function checkFormat({ format: most }: Limits, source: OpenSource): void {
  if (most === null) return;
  const { width, height, rateNumerator: numerator, rateDenominator: denominator } = source;
  const rate = { numerator, denominator };
  const isWithin =
    width <= most.width && height <= most.height && framesPerSecond(rate) <= framesPerSecond(most.rate);
  if (isWithin) return;
  const asked = formatText({ width, height, rate });
  throw refused('format', asked, `This agent sends pictures up to ${formatText(most)}, and not ${asked}`);
}
