import { describe, expect, test } from 'vitest';
import { legOf, ndiNameOf, targetOf } from './ndi-transport';

const unknown = { source_ip: null, source_port: null };

describe('BCP-007-01 (draft of 2024-03-27), machine_name and source_name', () => {
  test.each([
    ['RENDER-PC (Camera 1)', 'RENDER-PC', 'Camera 1'],
    ['OBS PC (Out (main))', 'OBS PC', 'Out (main)'],
    ['STUDIO (日本 – “5” %s\n\\u0041 <b>)', 'STUDIO', '日本 – “5” %s\n\\u0041 <b>'],
    ['STUDIO ()', 'STUDIO', ''],
    ['STUDIO ( (x))', 'STUDIO', ' (x)'],
  ])('%j is split, and put together again', (fullName, machine, source) => {
    expect(ndiNameOf(fullName)).toEqual({ machine, source });
    expect(legOf(fullName)).toEqual({ machine_name: machine, source_name: source, ...unknown });
    expect(targetOf(legOf(fullName))).toEqual({ name: fullName, address: null });
  });

  test.each(['Camera 1', '', 'PC (x', '(x)', 'PC(x)'])('%j is no full name', (name) => {
    expect(ndiNameOf(name)).toBeNull();
    expect(legOf(name)).toEqual({ machine_name: null, source_name: name, ...unknown });
    expect(() => targetOf(legOf(name))).toThrow('Expected machine_name and source_name');
  });
});

describe('BCP-007-01 (draft), source_ip and source_port', () => {
  const names = { machine_name: 'PC', source_name: 'x' };

  test.each([
    ['192.0.2.7', '192.0.2.7:5961'],
    ['2001:db8::7', '[2001:db8::7]:5961'],
  ])('%s is where the source is, and not looked for', (source_ip, address) => {
    expect(targetOf({ ...names, source_ip, source_port: 5961 })).toEqual({ name: 'PC (x)', address });
  });

  test('one without the other is no address, and a name that NDI could not hold is none', () => {
    expect(() => targetOf({ ...unknown, machine_name: null, source_name: null })).toThrow(
      'machine_name and source_name are null',
    );
    expect(() => targetOf({ ...unknown, ...names, source_name: null })).toThrow('but source_name is null');
    for (const leg of [
      { source_ip: '192.0.2.7', source_port: null },
      { source_ip: null, source_port: 5961 },
    ])
      expect(() => targetOf({ ...names, ...leg })).toThrow('source_ip and source_port together');
    expect(() => targetOf({ ...names, source_name: 'é'.repeat(130), ...unknown })).toThrow('255 bytes');
  });
});
