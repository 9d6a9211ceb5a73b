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
