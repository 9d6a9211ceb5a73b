import { expect, test } from 'vitest';
import { type Card, cardsOfOneNetwork } from './cards';

function card(name: string, address: string, prefixBits = 24): Card {
  return { type: 'card', name, address, prefixBits, speedMbps: 1000 };
}

const bridge = card('docker0', '172.17.0.1', 16);

test('all machines take a card of one network, whichever the first card of each is', () => {
  const publisher = { name: 'a', cards: [bridge, card('eth0', '192.0.2.1'), card('eth1', '10.1.200.1', 23)] };
  const one = { name: 'b', cards: [bridge, card('enp1', '10.1.201.7', 23), card('enp2', '192.0.2.9')] };
  const other = { name: 'c', cards: [card('wlan0', '10.1.201.8', 23)] };
  const names = cardsOfOneNetwork(publisher, [one, other]).map(({ name }) => name);
  expect(names).toEqual(['eth1', 'enp1', 'wlan0']);
});

test('machines that no network joins are named, with their cards', () => {
  const publisher = { name: 'a', cards: [bridge, card('eth0', '192.0.2.1')] };
  const other = { name: 'b', cards: [bridge, card('eth0', '192.0.3.1'), card('eth1', '192.0.2.2', 25)] };
  expect(() => cardsOfOneNetwork(publisher, [other])).toThrow(
    /a \(docker0 172\.17\.0\.1\/16, eth0 192\.0\.2\.1\/24\); b \(docker0/,
  );
});
