import { expect, test } from 'vitest';
import { DownLinks } from './down-links';

test('a link that is lost is a change, and so is its return, with how long it was gone', () => {
  let up = ['eth0', 'wlan0'];
  const links = new DownLinks(() => up);
  expect(links.look(1e9)).toEqual([]);
  up = ['wlan0'];
  expect(links.look(1.5e9)).toEqual([{ atNs: 1.5e9, code: 'link-down', data: { name: 'eth0' } }]);
  expect(links.look(2e9)).toEqual([]);
  up = ['wlan0', 'eth0', 'eth1'];
  expect(links.look(6.5e9)).toEqual([{ atNs: 6.5e9, code: 'link-up', data: { name: 'eth0', seconds: 5 } }]);
  expect(links.look(7e9)).toEqual([]);
});

test('interfaces that cannot be read are no change, and the reason is kept until they can', () => {
  let read = (): string[] => {
    throw new Error('uv_interface_addresses returned EMFILE');
  };
  const links = new DownLinks(() => read());
  const fail = read;
  expect(links.look(1e9)).toEqual([]);
  expect(links.unreadable).toBe(
    'the system did not list its interfaces: uv_interface_addresses returned EMFILE',
  );
  read = () => ['eth0', 'wlan0'];
  expect(links.look(2e9)).toEqual([]);
  expect(links.unreadable).toBeNull();
  read = fail;
  expect(links.look(3e9)).toEqual([]);
  read = () => ['eth0'];
  expect(links.look(4e9)).toEqual([{ atNs: 4e9, code: 'link-down', data: { name: 'wlan0' } }]);
});
