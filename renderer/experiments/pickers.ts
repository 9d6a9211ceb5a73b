import type { InterfaceOffer } from '../../app/protocol/network-interface';
import { thisMachine } from '../../app/protocol/stream-parameters';
import { shell } from '../engine/connection';
import { chooseMovieOn } from '../engine/machine-movies';
import type { FieldSpec } from '../forms/field-spec';
import type { FormValues } from '../forms/form-values';
import type { Offered } from '../forms/offered-names';
import { texts } from '../texts';

const words = texts.experiments;

interface Chooser {
  label: string;
  choose: () => Promise<string | null>;
}

/** By the names of parameters, which mean the same in each experiment. */
const ofFolders: readonly string[] = ['folders', 'contentFolder'];
const ofInterfaces: readonly string[] = ['interface', 'peerInterface', 'listenInterface'];

/** For parameters that are a path: of this machine, or of a movie the name on the machine that is to send. */
export function choosersOf(fields: readonly FieldSpec[], values: FormValues): Record<string, Chooser> {
  const sendOn = String(values.sendOn ?? '').trim();
  const movie = { label: words.chooseMovie, choose: () => shell.chooseMovie() };
  const ofSender =
    sendOn === '' || sendOn === thisMachine
      ? movie
      : { label: texts.picker.movies.choose(sendOn), choose: () => chooseMovieOn(sendOn) };
  const folder = { label: words.chooseFolder, choose: () => shell.chooseFolder() };
  const library = { label: words.chooseLibrary, choose: () => shell.chooseLibrary() };
  const byName: Record<string, Chooser> = { source: ofSender, movie, runtimes: library };
  return Object.fromEntries(
    fields.flatMap(({ name, kind }): [string, Chooser][] => {
      const isMovies = name === 'sources' && kind === 'lines';
      const chooser = isMovies ? movie : ofFolders.includes(name) ? folder : byName[name];
      return chooser ? [[name, chooser]] : [];
    }),
  );
}

export function hasInterface(fields: readonly FieldSpec[]): boolean {
  return fields.some(({ name }) => ofInterfaces.includes(name));
}

/** Machines of the fleet and interfaces of this machine, for the parameters that name some; nothing if there are none. */
export function offeredNames(
  fields: readonly FieldSpec[],
  machines: readonly string[],
  interfaces: readonly InterfaceOffer[],
): Record<string, Offered> {
  const here = [thisMachine, ...machines];
  const cards = {
    names: interfaces.map(({ name }) => name),
    notes: notesOf(interfaces),
    takesSeveral: false,
  };
  return Object.fromEntries(
    fields.flatMap((field): [string, Offered][] => {
      const { name, takesSeveral } = field;
      if (ofInterfaces.includes(name)) return interfaces.length === 0 ? [] : [[name, cards]];
      if (machines.length === 0) return [];
      if (name === 'sendOn') return [[name, { names: machines, takesSeveral: false }]];
      return name === 'receiveOn' || name === 'on' ? [[name, { names: here, takesSeveral }]] : [];
    }),
  );
}

function notesOf(interfaces: readonly InterfaceOffer[]): Record<string, string> {
  return Object.fromEntries(interfaces.map((each) => [each.name, words.interfaceNote(each)]));
}
