import './head-script.ts';
import './foreign-changes.ts';
