import { describe, expect, it } from 'vitest';
import { selectApis, type WantedApi } from './select';
import type { DiscoveredService } from './service';
import { serviceTypes } from './service-types';

const wanted: WantedApi = {
  versions: ['v1.2', 'v1.3'],
  ...{ protocol: 'http', canAuthorize: false, priorities: { from: 0, to: 99 } },
};

function api(instance: string, changes: Partial<DiscoveredService> = {}): DiscoveredService {
  return {
    ...{ type: serviceTypes.register, instance, domain: 'local', host: 'h.local', port: 80 },
    ...{ addresses: [`192.0.2.${instance}`], txt: {}, protocol: 'http', versions: ['v1.2', 'v1.3'] },
    ...{ requiresAuthorization: false, priority: 10, faults: [] },
    ...changes,
  };
}

function chosen(services: DiscoveredService[], random?: () => number): string[] {
  return selectApis(services, wanted, random).choices.map(
    ({ service, version }) => `${service.instance} ${version}`,
  );
}

describe('IS-04 Discovery, selection of an API', () => {
  it('goes by version before priority (Upgrade Path)', () => {
    expect(chosen([api('1', { versions: ['v1.2'], priority: 0 }), api('2', { priority: 50 })])).toEqual([
      ...['2 v1.3', '1 v1.2'],
    ]);
  });

  it('goes by priority among those of a version', () => {
    expect(chosen([api('1', { priority: 20 }), api('2', { priority: 3 }), api('3')])).toEqual([
      ...['2 v1.3', '3 v1.3', '1 v1.3'],
    ]);
  });

  it('is by chance among equals', () => {
    const values = [0.9, 0.1];
    expect(chosen([api('1'), api('2')], () => values.shift() ?? 0)).toEqual(['2 v1.3', '1 v1.3']);
  });

  it('leaves out what does not fit, and says why', () => {
    const { choices, rejected } = selectApis(
      [
        api('1', { versions: ['v9.0'] }),
        api('2', { protocol: 'https' }),
        api('3', { requiresAuthorization: true }),
        api('4', { priority: 100 }),
        api('5', { addresses: [] }),
        api('6', { priority: null }),
        api('7', { addresses: ['fe80::1'] }),
      ],
      wanted,
    );
    expect(choices).toEqual([]);
    expect(rejected.map(({ reason }) => reason)).toEqual([
      ...['version', 'protocol', 'authorization', 'priority', 'faulty', 'faulty', 'faulty'],
    ]);
  });

  it('takes an API that both types announce once', () => {
    const both = [
      api('1', { type: serviceTypes.registration, priority: 20 }),
      api('1', { instance: '1', priority: 5 }),
    ];
    const { choices } = selectApis(both, wanted);
    expect(choices.map(({ url, service }) => [url, service.priority])).toEqual([['http://192.0.2.1:80', 5]]);
  });

  it('takes all addresses of an API, the further ones after all that is announced', () => {
    const two = api('1', { priority: 0, addresses: ['192.0.2.1', 'fe80::1', '2001:db8::1'] });
    const { choices } = selectApis([two, api('2', { priority: 50 })], wanted);
    expect(choices.map(({ url }) => url)).toEqual([
      ...['http://192.0.2.1:80', 'http://192.0.2.2:80', 'http://[2001:db8::1]:80'],
    ]);
  });

  it('writes an IPv6 address as a URL has it', () => {
    const { choices } = selectApis([api('1', { addresses: ['2001:db8::7'] })], wanted);
    expect(choices[0]?.url).toBe('http://[2001:db8::7]:80');
  });
});
