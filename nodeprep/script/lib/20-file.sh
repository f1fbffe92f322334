# Files are replaced whole, on the disk before they count, with owner, mode and label kept.

# np_file PATH MODE EXPECTED CONTENT makes a file have a content. EXPECTED is the hash of what the plan saw, "absent",
# or "any": a file that somebody else has changed since is left alone.
np_file() {
	np_to=$R$1
	if [ -h "$np_to" ]; then
		np_fail "$1 is a link to $(readlink "$np_to"): it is left alone"
		return
	fi
	np_old=absent
	if [ -f "$np_to" ]; then
		np_old=$(sha256sum <"$np_to")
		np_old=${np_old%% *}
	elif [ -e "$np_to" ]; then
		np_fail "$1 is no file"
		return
	fi
	np_new=$(printf '%s' "$4" | sha256sum)
	np_new=${np_new%% *}
	if [ "$np_old" = "$np_new" ]; then return 0; fi
	if [ "$3" != any ] && [ "$3" != "$np_old" ]; then
		np_fail "$1 has changed since the plan was made: plan again"
		return
	fi
	np_folder=${np_to%/*}
	if ! mkdir -p "$np_folder" || ! np_tmp=$(mktemp "$np_folder/.gpuyard.XXXXXX"); then
		np_fail "cannot write in ${1%/*}: read-only or full"
		return
	fi
	if np_file_fill "$1" "$2" "$4" && mv -f "$np_tmp" "$np_to" 2>/dev/null; then
		np_sync "$np_folder"
		np_changed
		return 0
	fi
	rm -f "$np_tmp"
	np_fail "cannot replace $1: a full disk, or a mount point"
}

# np_file_fill makes np_tmp what the file shall be.
np_file_fill() {
	printf '%s' "$3" >"$np_tmp" || return
	if [ "$np_old" = absent ]; then
		chmod "$2" "$np_tmp" || return
	else
		np_backup "$1" || return
		chown --reference="$np_to" "$np_tmp" && chmod --reference="$np_to" "$np_tmp" || return
	fi
	# The label that the policy has for the final name; a file moved from elsewhere would keep a wrong one.
	if [ -e "$R/sys/fs/selinux/enforce" ]; then
		if [ "$np_old" != absent ]; then
			chcon --reference="$np_to" "$np_tmp" || return
		elif np_has matchpathcon; then
			chcon "$(matchpathcon -n "$1")" "$np_tmp" || return
		fi
	fi
	np_own file "$1" "$np_new" && np_sync "$np_tmp"
}

# np_backup keeps the first content that a file ever had here.
np_backup() {
	np_saved=$R$np_dir/before/$(printf '%s' "${1#/}" | tr / '%')
	if [ -e "$np_saved" ]; then return 0; fi
	mkdir -p "$R$np_dir/before" && cp -p "$np_to" "$np_saved.new" && mv "$np_saved.new" "$np_saved"
}

# np_link_to PATH TARGET makes a link.
np_link_to() {
	if [ -h "$R$1" ] && [ "$(readlink "$R$1")" = "$2" ]; then return 0; fi
	if [ -e "$R$1" ] && [ ! -h "$R$1" ]; then
		np_fail "$1 is there and no link: it is left alone"
		return
	fi
	if np_own link "$1" "$2" && mkdir -p "$R${1%/*}" && ln -sfn "$2" "$R$1"; then
		np_changed
	else
		np_fail "cannot make the link $1"
	fi
}
