import { Announcer } from '../nmos/discovery/announce';
import { Browser } from '../nmos/discovery/browse';
import { MulticastLink } from '../nmos/discovery/link';
import { type ServiceType, serviceTypes } from '../nmos/discovery/service-types';
import { browseUnicast } from '../nmos/discovery/unicast';
import { machineClock } from '../protocol/machine-clock';

/** A program for a network namespace of its own: announces (all types, or those given) or browses, one JSON value a line, until it is ended. */

const [mode = '', place = '', given] = process.argv.slice(2);
const types = Object.values(serviceTypes);
const say = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`);

if (mode === 'announce') {
  const announcer = new Announcer(
    await MulticastLink.open({ hosts: [place], clock: machineClock }),
    machineClock,
    say,
  );
  const txt = { api_proto: 'http', api_ver: 'v1.2,v1.3', api_auth: 'false', pri: '10' };
  const usual = types.map((type) => ({ type, port: 8010, txt }));
  const announced: { type: ServiceType; port: number; txt: Record<string, string> }[] =
    given === undefined ? usual : JSON.parse(given);
  for (const one of announced)
    say((await announcer.announce({ ...one, txt: { ...txt, ...one.txt }, instance: 'whiteline' })).name);
} else if (mode === 'browse') {
  const browser = new Browser(
    await MulticastLink.open({ hosts: [place], clock: machineClock }),
    types,
    machineClock,
  );
  browser.onChange(say);
} else {
  say(await browseUnicast({ address: place, port: 53 }, 'studio.test', types, 5000, machineClock));
}
