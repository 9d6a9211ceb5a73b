import { lowestFreeNumber } from '../../app/protocol/stream-names';
import { useConsole } from '../engine/console-store';
import { useSettings } from '../engine/source-settings';
import { Field } from '../forms/field';
import { texts } from '../texts';

const noStreams: { ndiName: string }[] = [];

/** The NDI name of the next streams, and the number that the next one will have. */
export function NameField() {
  const streams = useConsole(({ engine }) => (engine?.mode === 'live' ? engine.streams : noStreams));
  const { name, problems } = useSettings();
  return (
    <Field
      label={texts.source.name}
      unit={texts.source.nextNumber(nextNumber(name, streams))}
      value={name}
      problem={problems.name}
      onChange={(typed) => useSettings.setState({ name: typed })}
    />
  );
}

/** What the engine takes: a stream that was renamed here keeps its NDI name. */
export function nextNumber(base: string, streams: readonly { ndiName: string }[]): number {
  return lowestFreeNumber(
    base,
    streams.map(({ ndiName }) => ndiName),
  );
}
