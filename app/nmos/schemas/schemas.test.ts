import { expect, test } from 'vitest';
import { validate } from './schemas';

const node = {
  id: '3b8be755-08ff-452b-b217-c9151eb21193',
  version: '1441700172:318426300',
  label: 'one',
  description: '',
  tags: {},
  href: 'http://192.0.2.7:8080/',
  caps: {},
  services: [],
  api: { versions: ['v1.3'], endpoints: [{ host: '192.0.2.7', port: 8080, protocol: 'http' }] },
  clocks: [{ name: 'clk0', ref_type: 'internal' }],
  interfaces: [{ name: 'eth0', chassis_id: null, port_id: '74-26-96-db-87-31' }],
};

test('a good value has no failure, in each version', () => {
  expect(validate('is-04', 'v1.3', 'node', node)).toBeNull();
  expect(validate('is-04', 'v1.2', 'node', node)).toBeNull();
});

test.each([
  [{ ...node, label: undefined }, '/label', 'a value', undefined],
  [{ ...node, label: 7 }, '/label', 'a string', 7],
  [{ ...node, version: 'now' }, '/version', 'a text that matches ^[0-9]+:[0-9]+$', 'now'],
  [{ ...node, href: 'a b' }, '/href', 'a text of the format uri', 'a b'],
  [{ ...node, caps: [] }, '/caps', 'an object', []],
])('a failure names path, value and what belongs there %#', (value, path, expected, received) => {
  const failure = validate('is-04', 'v1.3', 'node', JSON.parse(JSON.stringify(value)));
  expect(failure).toMatchObject({ path, expected });
  expect(failure?.value).toEqual(received);
});

test('a failure inside of a branch is named, not that no branch matches', () => {
  const endpoints = [{ host: '192.0.2.7', port: 0, protocol: 'http' }];
  const failure = validate('is-04', 'v1.3', 'node', { ...node, api: { versions: [], endpoints } });
  expect(failure?.text).toBe('Expected a number >= 1 for /api/endpoints/0/port but received 0');
});

test('a key that may not be there is named', () => {
  const failure = validate('is-05', 'v1.1', 'sender-stage-schema', { unknown: 1 });
  expect(failure?.text).toBe('Expected no additional key for /unknown but received 1');
});

const modes = '"activate_immediate", "activate_scheduled_absolute", "activate_scheduled_relative"';
const port = 'a whole number from 1 to 65535 or "auto"';
const leg = (change: object): object => ({ transport_params: [change] });

test.each<[object, string | RegExp, string, string]>([
  [leg({ destination_port: 70_000 }), port, '/transport_params/0/destination_port', '70000'],
  [leg({ destination_port: '5004' }), port, '/transport_params/0/destination_port', '"5004"'],
  [leg({ destination_port: 5004, unknown: 1 }), 'no additional key', '/transport_params/0/unknown', '1'],
  [
    leg({ multicast_ip: '239.999.1.1' }),
    'an IPv4 address, an IPv6 address or null',
    '/transport_params/0/multicast_ip',
    '"239.999.1.1"',
  ],
  [{ activation: { mode: 'x' } }, `one of ${modes} or null`, '/activation/mode', '"x"'],
  [{ activation: { mode: 7 } }, `one of ${modes} or null`, '/activation/mode', '7'],
  [
    { activation: { mode: null, requested_time: '-1:0' } },
    'a text that matches ^[0-9]+:[0-9]+$ or null',
    '/activation/requested_time',
    '"-1:0"',
  ],
  [{ master_enable: 'true' }, 'a boolean', '/master_enable', '"true"'],
  [{ sender_id: '' }, /^a text that matches \^\[0-9a-f\].+ or null$/, '/sender_id', '""'],
])(
  'of several branches the failure is that of the one that fits best: %j',
  (value, expected, path, received) => {
    const failure = validate('is-05', 'v1.1', 'receiver-stage-schema', value);
    if (typeof expected === 'string') expect(failure?.expected).toBe(expected);
    else expect(failure?.expected).toMatch(expected);
    expect(failure?.text).toBe(`Expected ${failure?.expected} for ${path} but received ${received}`);
  },
);

test('each specification has its schemas', () => {
  expect(validate('is-05', 'v1.1', 'activation-schema', { mode: 'activate_now' })?.path).toMatch(
    /requested_time|mode/,
  );
  expect(validate('is-09', 'v1.0', 'base', ['global/'])).toBeNull();
});

test('a schema that does not exist is an error of the caller', () => {
  expect(() => validate('is-04', 'v1.3', 'none', {})).toThrow(/There is no schema/);
});
