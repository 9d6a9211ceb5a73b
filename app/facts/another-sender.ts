/** What a stream does while pictures of another sender come in its place: its state, in words. */
export const anotherSenderText = 'Pictures of another sender arrive under this name';
