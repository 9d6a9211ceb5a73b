import { expect, test } from 'vitest';
import { problemText, toProblem } from '../../protocol/errors';
import { severalAddresses, severalNamed } from './named-alike';

const listed = [
  { name: 'A (cam)', address: '192.0.2.7:5961' },
  { name: 'B (cam)', address: '192.0.2.8:5961' },
  { name: 'C (wide)', address: '192.0.2.9:5961' },
  { name: 'D (tele)', address: '192.0.2.10:5961' },
  { name: 'D (tele)', address: '198.51.100.10:5962' },
  { name: 'OWN (near)', address: '127.0.0.1:5961' },
  { name: 'OWN (near)', address: '192.0.2.11:5961' },
];

test('a part in brackets that two machines send names both, their addresses, and how to choose', () => {
  expect(problemText(toProblem(severalNamed('cam', listed)))).toBe(
    'Expected the name of one sender (there are A (cam) at 192.0.2.7:5961 and B (cam) at 192.0.2.8:5961) for names but received cam. Give a full name, or an address: --address 192.0.2.7:5961',
  );
  for (const one of ['A (cam)', 'wide', 'tele', 'near', 'absent'])
    expect(severalNamed(one, listed)).toBeNull();
});

test('one name at two addresses is said, since it may be two machines', () => {
  expect(severalAddresses('tele', listed)).toBe(
    'tele is listed at 192.0.2.10:5961 and 198.51.100.10:5962. If these are two machines, choose one with --address 192.0.2.10:5961',
  );
  for (const one of ['wide', 'near', 'absent']) expect(severalAddresses(one, listed)).toBeNull();
});
