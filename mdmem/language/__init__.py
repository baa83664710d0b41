"""What mdmem knows about English, German, Spanish and French: words, phrases, sentences and claims."""
