import type { Figures } from '../facts/figure';
import type { StreamsRow } from '../facts/stream-row';

/** The row with its streams received on these machines in turn, each with such a load for its own number of streams. */
export function receivedOn(
  row: StreamsRow,
  machines: Readonly<Record<string, (streams: number) => Figures>>,
): StreamsRow {
  const names = Object.keys(machines);
  const [subject] = row.subjects;
  if (!subject) throw new Error('a row needs a stream');
  const { streams } = row.step;
  const places = Array.from({ length: streams }, (_, index) => names[index % names.length] ?? '');
  const loads = Object.entries(machines).map(([name, load]) => {
    const receiver = load(places.filter((place) => place === name).length);
    return [name, { receiver }] as const;
  });
  const others = Object.entries(row.load).map(([host, { receiver: _, ...roles }]) => [host, roles] as const);
  return {
    ...row,
    subjects: places.map((receiver, index) => ({
      ...{ ...subject, id: String(index + 1), hosts: { ...subject.hosts, receiver } },
    })),
    load: Object.fromEntries([...others, ...loads]),
  };
}
