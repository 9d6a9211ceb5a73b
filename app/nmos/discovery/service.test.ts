import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeResponse, type ServiceRecord } from './codec';
import { byVersion, instanceOf, serviceOf } from './service';
import { type ServiceType, serviceTypes } from './service-types';

const good = ['api_proto=http', 'api_ver=v1.2,v1.3', 'api_auth=false', 'pri=10'];

/** Through the bytes of a real packet. */
function read(
  texts: string[] | null,
  type: ServiceType = serviceTypes.register,
  port = 8010,
  address = true,
) {
  const name = `one.${type}.local`;
  const common = { ttlSeconds: 120, isFlush: true };
  const answers: ServiceRecord[] = [
    { ...common, isFlush: false, name: `${type}.local`, type: 'PTR', target: name },
    { ...common, name, type: 'SRV', target: 'host.local', port },
    ...(texts === null ? [] : [{ ...common, name, type: 'TXT' as const, texts }]),
    ...(address ? [{ ...common, name: 'host.local', type: 'A' as const, address: '192.0.2.7' }] : []),
    ...(address ? [{ ...common, name: 'HOST.local', type: 'AAAA' as const, address: '2001:db8::7' }] : []),
  ];
  const message = decodeMessage(encodeResponse({ answers }));
  return serviceOf(message?.answers ?? [], type, 'one', 'local');
}

describe('a service', () => {
  it('is read whole from its records', () => {
    expect(read(good)).toEqual({
      ...{ type: '_nmos-register._tcp', instance: 'one', domain: 'local', host: 'host.local', port: 8010 },
      addresses: ['192.0.2.7', '2001:db8::7'],
      txt: { api_proto: 'http', api_ver: 'v1.2,v1.3', api_auth: 'false', pri: '10' },
      ...{ protocol: 'http', versions: ['v1.2', 'v1.3'], requiresAuthorization: false, priority: 10 },
      faults: [],
    });
  });

  it('has its faults named: each missing record', () => {
    expect(read(null).faults).toEqual([{ code: 'no-txt' }]);
    expect(read(good, serviceTypes.register, 0).faults).toEqual([{ code: 'port-zero' }]);
    expect(read(good, serviceTypes.register, 8010, false).faults).toEqual([
      { code: 'no-address', host: 'host.local' },
    ]);
    expect(serviceOf([], serviceTypes.query, 'one', 'local').faults).toEqual([
      { code: 'no-srv' },
      { code: 'no-txt' },
    ]);
  });

  it.each([
    [['api_ver=v1.3', 'api_auth=false', 'pri=1'], [{ code: 'missing-key', key: 'api_proto' }]],
    [['api_proto=http', 'api_auth=false', 'pri=1'], [{ code: 'missing-key', key: 'api_ver' }]],
    [['api_proto=http', 'api_ver=v1.3', 'pri=1'], [{ code: 'missing-key', key: 'api_auth' }]],
    [['api_proto=http', 'api_ver=v1.2', 'pri=1'], []],
    [['api_proto=http', 'api_ver=v1.3', 'api_auth=false'], [{ code: 'missing-key', key: 'pri' }]],
    [[...good.slice(0, 3), 'pri=-1'], [{ code: 'bad-value', key: 'pri', value: '-1' }]],
    [[...good.slice(0, 3), 'pri=first'], [{ code: 'bad-value', key: 'pri', value: 'first' }]],
    [['api_proto=HTTP', ...good.slice(1)], [{ code: 'bad-value', key: 'api_proto', value: 'HTTP' }]],
    [
      ['api_auth=no', ...good.filter((text) => !text.startsWith('api_auth'))],
      [{ code: 'bad-value', key: 'api_auth', value: 'no' }],
    ],
    [
      ['api_ver=1.3', ...good.filter((text) => !text.startsWith('api_ver'))],
      [{ code: 'bad-value', key: 'api_ver', value: '1.3' }],
    ],
    [
      ['api_ver=v1.3,v1.2', ...good.filter((text) => !text.startsWith('api_ver'))],
      [{ code: 'untidy-versions', value: 'v1.3,v1.2' }],
    ],
    [
      ['api_ver=v1.2, v1.3', ...good.filter((text) => !text.startsWith('api_ver'))],
      [{ code: 'untidy-versions', value: 'v1.2, v1.3' }],
    ],
    [[...good, 'PRI=0'], [{ code: 'repeated-key', key: 'pri' }]],
  ])('has its faults named: %j', (texts, faults) => {
    expect(read(texts).faults).toEqual(faults);
  });

  it('of a node needs no priority, and of a System API no api_auth', () => {
    expect(read(good.slice(0, 3), serviceTypes.node).faults).toEqual([]);
    expect(read(['api_proto=http', 'api_ver=v1.0', 'pri=0'], serviceTypes.system).faults).toEqual([]);
  });

  it('may have dots in its name', () => {
    expect(instanceOf('a.b c._nmos-query._tcp.example.org', '_nmos-query._tcp', 'example.org')).toBe('a.b c');
    expect(instanceOf('_nmos-query._tcp.example.org', '_nmos-query._tcp', 'example.org')).toBeNull();
    expect(instanceOf('x._ndi._tcp.local', '_nmos-query._tcp', 'local')).toBeNull();
  });

  it('orders versions by number', () => {
    expect(['v1.10', 'v2.0', 'v1.2'].sort(byVersion)).toEqual(['v1.2', 'v1.10', 'v2.0']);
  });
});

describe('a message', () => {
  it('that is none is null, whatever its bytes', () => {
    const whole = encodeResponse({
      answers: [{ name: 'a.local', ttlSeconds: 1, isFlush: false, type: 'SRV', target: 'b.local', port: 1 }],
    });
    for (let length = 0; length < whole.length; length++)
      expect(decodeMessage(whole.subarray(0, length))).toBeNull();
    const loop = Buffer.from([
      0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 1, 0, 2, 0xc0, 12,
    ]);
    expect(decodeMessage(loop)).toBeNull();
  });

  it('leaves out records of other kinds', () => {
    const message = decodeMessage(
      Buffer.from([0, 7, 0x84, 3, 0, 0, 0, 1, 0, 0, 0, 0, 1, 97, 0, 0, 2, 0, 1, 0, 0, 0, 1, 0, 3, 1, 98, 0]),
    );
    expect(message).toMatchObject({ id: 7, isResponse: true, code: 3, answers: [] });
  });
});
