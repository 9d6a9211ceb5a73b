import { networkInterfaces } from 'node:os';
import { badInput } from './errors';

/** A network interface of this machine by the system's name, with its addresses of IPv4, which NDI is told. */
export interface NetworkCard {
  name: string;
  addresses: string[];
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Those that have an address and lead somewhere. */
export function networkCards(interfaces: Interfaces = networkInterfaces()): NetworkCard[] {
  return Object.entries(interfaces).flatMap(([name, entries = []]) => {
    const addresses = entries
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address);
    return addresses.length > 0 ? [{ name, addresses }] : [];
  });
}

/** @throws WhitelineError BAD_INPUT if none has this name */
export function addressesOf(name: string, field: string, cards = networkCards()): string[] {
  const card = cards.find((one) => one.name === name);
  if (card) return card.addresses;
  const names = cards.map((one) => one.name).join(', ') || 'none has an address';
  throw badInput(
    field,
    `a network interface with an IPv4 address (${names})`,
    name,
    'Check the cable and its address',
  );
}
