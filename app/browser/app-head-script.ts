// Must run first: all later scripts rely on storage.
import './storage-script.ts';
import './foreign-changes.ts';
import './hold-forms.ts';
