import { lowestFreeNumber } from '../../app/protocol/stream-names';
import { useConsole } from '../engine/console-store';
import { useSettings } from '../engine/source-settings';
import { Field } from '../forms/field';
import { texts } from '../texts';

const noStreams: { name: string }[] = [];

/** The NDI name of the next streams, and the number that the next one will have. */
export function NameField() {
  const streams = useConsole(({ engine }) => (engine?.mode === 'live' ? engine.streams : noStreams));
  const { name, problems } = useSettings();
  const taken = streams.map((stream) => stream.name);
  return (
    <Field
      label={texts.source.name}
      unit={texts.source.nextNumber(lowestFreeNumber(name, taken))}
      value={name}
      problem={problems.name}
      onChange={(typed) => useSettings.setState({ name: typed })}
    />
  );
}
