import { expect, test } from 'vitest';
import { type Activation, activationOf, bulkActivationOf } from './activated';
import type { StagedReceiver } from './staged';

const asked: StagedReceiver = {
  sender_id: 'aa',
  master_enable: true,
  activation: { mode: 'activate_immediate' },
};
const scheduled = { mode: 'activate_scheduled_relative' };

/** In short: what is said of one that was refused, otherwise what it is. */
function said(activation: Activation): string {
  return activation.is === 'refused' ? activation.reason.text : activation.is;
}

test.each<[number, unknown, string]>([
  [200, asked, 'active'],
  [202, asked, 'waiting'],
  [200, { ...asked, activation: scheduled }, 'waiting'],
  [200, { ...asked, sender_id: 'AA' }, 'active'],
  [200, { ...asked, sender_id: 'bb' }, 'it answers sender_id bb instead of aa'],
  [200, { ...asked, sender_id: null }, 'it answers sender_id null instead of aa'],
  [200, { ...asked, master_enable: false }, 'it answers master_enable false instead of true'],
  [200, { ...asked, master_enable: [] }, 'it answers master_enable of another type instead of true'],
  [
    200,
    { ...asked, activation: { mode: null } },
    'it answers activation.mode null instead of activate_immediate',
  ],
  [200, null, 'status 200 without a JSON object'],
  [423, null, 'status 423'],
  [400, { error: 'no such sender' }, '400: no such sender'],
])('an answer %i with %j', (status, body, text) => {
  expect(said(activationOf(asked, status, body))).toBe(text);
});

test.each<[unknown, string]>([
  [{ code: 200 }, 'active'],
  [{ code: 202 }, 'waiting'],
  [{ code: 404 }, 'status 404'],
  [{ code: 500, error: 'no such receiver' }, '500: no such receiver'],
  [{ code: 200, params: asked }, 'active'],
  [{ code: 200, params: { ...asked, sender_id: 'bb' } }, 'it answers sender_id bb instead of aa'],
  [undefined, 'its answer does not name this receiver'],
])('of a bulk request the answer %j', (answer, text) => {
  expect(said(bulkActivationOf(asked, answer))).toBe(text);
});

test('a refusal has the device’s own words or is bare', () => {
  const isBare = (body: unknown): boolean | null => {
    const activation = activationOf(asked, 400, body);
    return activation.is === 'refused' ? activation.reason.isBare : null;
  };
  expect([isBare(null), isBare({ error: 'no such sender' })]).toEqual([true, false]);
});
