interface Pressed {
  key: string;
  target: object;
  repeat: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** Space or Enter on what is chosen already has no other use: there it adds the stream. On another one Space chooses it. */
export function addsByKey({ key, target, repeat, ctrlKey, altKey, metaKey }: Pressed): boolean {
  const isPlain = !repeat && !ctrlKey && !altKey && !metaKey;
  const isChosen =
    'type' in target && target.type === 'radio' && 'checked' in target && target.checked === true;
  return isPlain && isChosen && (key === ' ' || key === 'Enter');
}
