import { texts } from '../texts';
import { type ListName, listOf } from './typed-list';
import { TypedSetting } from './typed-setting';

/** Names or addresses in one line. */
export function ListSetting({ name, kept }: { name: ListName; kept: readonly string[] }) {
  return (
    <TypedSetting
      name={name}
      kept={kept.join(', ')}
      help={texts.settings.listHelp}
      changeOf={(typed) => ({ [name]: listOf(typed) })}
    />
  );
}
