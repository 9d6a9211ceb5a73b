import { isFields } from './resources';
import { statusText } from './rest-client';
import type { StagedReceiver } from './staged';

/** Whether a device has done what it was asked for, as its answer says (IS-05 Behaviour, "Activations"). */

/** waiting: it has accepted it, and takes time for it. */
export type Activation = { is: 'active' } | { is: 'waiting' } | { is: 'refused'; reason: Refusal };

export interface Refusal {
  text: string;
  /** The device gave no words of its own. */
  isBare: boolean;
}

/** @param body parsed; what the receiver has staged */
export function activationOf(asked: StagedReceiver, status: number, body: unknown): Activation {
  if (status !== 200 && status !== 202) {
    const text = statusText({ status, body });
    return { is: 'refused', reason: { text, isBare: text === `status ${status}` } };
  }
  if (!isFields(body)) return refused(`status ${status} without a JSON object`);
  const wrong = wrongIn(asked, body);
  if (wrong !== null) return refused(wrong);
  return { is: status === 202 || isScheduled(body) ? 'waiting' : 'active' };
}

/** Of one receiver of a bulk request: devices say there no more than a code, or also what is staged. */
export function bulkActivationOf(asked: StagedReceiver, answer: unknown): Activation {
  if (!isFields(answer)) return refused('its answer does not name this receiver');
  const { code, params } = answer;
  if (params === undefined && code === 200) return { is: 'active' };
  if (params === undefined && code === 202) return { is: 'waiting' };
  return activationOf(asked, Number(code), typeof answer.error === 'string' ? answer : params);
}

function refused(text: string): Activation {
  return { is: 'refused', reason: { text, isBare: true } };
}

/** What is not as it was asked for. */
function wrongIn(asked: StagedReceiver, body: Readonly<Record<string, unknown>>): string | null {
  const mode = isFields(body.activation) ? body.activation.mode : undefined;
  const { sender_id: senderId, master_enable: isEnabled } = asked;
  if (body.master_enable !== isEnabled) return differs('master_enable', body.master_enable, isEnabled);
  if (senderId !== null && String(body.sender_id).toLowerCase() !== senderId.toLowerCase())
    return differs('sender_id', body.sender_id, senderId);
  if (mode !== asked.activation.mode && !isScheduled(body))
    return differs('activation.mode', mode, asked.activation.mode);
  return null;
}

function isScheduled({ activation }: Readonly<Record<string, unknown>>): boolean {
  return (
    isFields(activation) &&
    typeof activation.mode === 'string' &&
    /^activate_scheduled_/.test(activation.mode)
  );
}

function differs(field: string, received: unknown, asked: unknown): string {
  const shown = ['string', 'boolean', 'number'].includes(typeof received) || received === null;
  return `it answers ${field} ${shown ? String(received).slice(0, 100) : 'of another type'} instead of ${asked}`;
}
