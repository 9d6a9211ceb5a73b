import { expect, test } from 'vitest';
import { nmosNodeOf } from './settings';

const on = { WHITELINE_NMOS_NODE: 'on' };

test('it is off until it is switched on, and then at loopback with a registry that is looked for', () => {
  for (const environment of [{}, { WHITELINE_NMOS_NODE: '' }, { WHITELINE_NMOS_NODE: 'off' }])
    expect(nmosNodeOf({ ...environment, WHITELINE_NMOS_PORT: 'x' })).toBeNull();
  expect(nmosNodeOf(on)).toEqual({ registry: null, host: '127.0.0.1', port: 0, receivers: 4 });
  expect(
    nmosNodeOf({
      ...{ ...on, WHITELINE_NMOS_REGISTRY: 'http://192.0.2.9:8010', WHITELINE_NMOS_HOST: '2001:db8::7' },
      ...{ WHITELINE_NMOS_PORT: '8080', WHITELINE_NMOS_RECEIVERS: '16' },
    }),
  ).toEqual({ registry: 'http://192.0.2.9:8010', host: '2001:db8::7', port: 8080, receivers: 16 });
});

test.each([
  [{ WHITELINE_NMOS_NODE: 'yes' }, 'nmosNode', 'Expected on or off for nmosNode but received yes'],
  [{ WHITELINE_NMOS_REGISTRY: 'ftp://x' }, 'nmosRegistry', 'received ftp://x'],
  [{ WHITELINE_NMOS_HOST: 'stage-pc' }, 'nmosHost', 'an address of this machine'],
  [{ WHITELINE_NMOS_PORT: '-1' }, 'nmosPort', 'received -1'],
  [{ WHITELINE_NMOS_RECEIVERS: '65' }, 'nmosReceivers', 'from 1 to 64'],
])('%j is refused with the field', (environment, field, message) => {
  expect(() => nmosNodeOf({ ...on, ...environment })).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', field, message: expect.stringContaining(message) }),
  );
});
