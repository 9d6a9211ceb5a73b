import { expect, test } from 'vitest';
import { badInput } from '../protocol/errors';
import { nmosNodeOfFlags, nmosNodeText } from './serve-nmos';

test.each([
  [{ nmosRegistry: 'http://192.0.2.9:8010' }, 'nmosRegistry'],
  [{ nmosListen: '192.0.2.7' }, 'nmosListen'],
  [{ nmosPort: '8080' }, 'nmosPort'],
  [{ nmosReceivers: '2' }, 'nmosReceivers'],
])('%j without --nmos-node is refused with the flag', (flags, field) => {
  expect(() => nmosNodeOfFlags(flags, {})).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', field, message: expect.stringContaining('--nmos-node') }),
  );
  expect(nmosNodeOfFlags({ ...flags, nmosNode: true }, {})).not.toBeNull();
  expect(nmosNodeOfFlags(flags, { WHITELINE_NMOS_NODE: 'on' })).not.toBeNull();
});

test('a flag that is wrong is refused by its name', () => {
  expect(() => nmosNodeOfFlags({ nmosNode: true, nmosListen: '300.1.1.1' }, {})).toThrow(
    /an address of this machine for --nmos-listen but received 300\.1\.1\.1/,
  );
});

test('without flags and variables it is off', () => {
  expect(nmosNodeOfFlags({}, {})).toBeNull();
});

test('what is wrong with the node has the name of the flag', () => {
  const problem = badInput('host', 'an address of this machine', '192.0.2.77');
  const view = { is: 'problem', address: null, registry: null, isRetried: false, problem } as const;
  expect(nmosNodeText(view)).toBe(
    'NMOS: Expected an address of this machine for --nmos-listen but received 192.0.2.77',
  );
});
